import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createExtractor, type ExtractorOptions } from '../files/extraction/create-extractor.ts';
import type { Extracted, ExtractionProgress } from '../files/extraction/extractor.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface ReadOptions {
  name?: string;
  signal?: AbortSignal;
  onProgress?: (progress: ExtractionProgress) => void;
  caller?: string;
}

/** An extractor for bytes instead of files. */
export interface TestExtractor {
  /** Folder of the temporary files. */
  folder: string;
  read(bytes: Uint8Array | string, options?: ReadOptions): Promise<Extracted>;
  close(): Promise<void>;
}

/** A busy machine may take fifty times as long as an idle one. */
const longTimes = { maxTime: 600_000, imageTime: 300_000, scanTime: 300_000 };
/** In ms: a file that exceeds its turn is read with the lowest priority, next to all other tests. */
const turnTime = 600_000;

export async function openTestExtractor(options: ExtractorOptions = {}): Promise<TestExtractor> {
  const folder = await temporaryFolder('extraction');
  const extractor = createExtractor({ turnTime, ...options, limits: { ...longTimes, ...options.limits } });
  const running = new Set<Promise<unknown>>();
  let count = 0;

  async function read(
    bytes: Uint8Array | string,
    { name = 'file', ...rest }: ReadOptions,
  ): Promise<Extracted> {
    count += 1;
    const path = join(folder, String(count));
    await writeFile(path, bytes);
    try {
      return await extractor.extract(path, name, rest);
    } finally {
      await rm(path);
    }
  }

  return {
    folder,
    read(bytes, options = {}) {
      const reading = read(bytes, options);
      running.add(reading);
      return reading;
    },
    async close() {
      await extractor.close();
      await Promise.allSettled(running);
      await rm(folder, { recursive: true });
    },
  };
}
