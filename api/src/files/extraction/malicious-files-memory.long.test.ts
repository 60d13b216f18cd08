import { readdir } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { openTestExtractor } from '../../testing/extract-bytes.ts';
import { docxBomb, pdfBomb, pngBomb } from '../../testing/sample-files.ts';

test('memory use and open files of the extractor do not grow with many hostile files', async () => {
  const extractor = await openTestExtractor({ limits: { maxMemoryMb: 250, maxHeapMb: 60 } });
  const hostile = [docxBomb(1e8), pngBomb(50_000, 50_000), Buffer.from('%PDF-1.7\n1 0 obj\n'), pdfBomb(4e8)];
  const memory = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const before = memory();

  for (let round = 0; round < 40; round += 1) {
    // The file whose process must be killed takes a second, so it is rare.
    const bytes = hostile[round % 20 === 19 ? 3 : round % 3]!;
    await expect(extractor.read(bytes)).rejects.toMatchObject({ name: 'ApiError' });
  }

  expect(memory() - before).toBeLessThan(16 * 1024 * 1024);
  expect(await readdir(extractor.folder)).toEqual([]);
  await extractor.close();
});
