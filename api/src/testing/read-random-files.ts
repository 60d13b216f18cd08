import { ApiError } from '../errors/errors.ts';
import type { TestExtractor } from './extract-bytes.ts';
import { createRandom } from './random.ts';
import { makeDocx, makeGif, makePdf, makePng } from './sample-files.ts';

/**
 * Reads truncated and corrupted files. Returns the outcomes that are neither a well-formed text nor a known
 * error.
 */
export async function readRandomFiles(
  extractor: TestExtractor,
  { seed, rounds }: { seed: number; rounds: number },
): Promise<unknown[]> {
  const random = createRandom(seed);
  const sound = [
    await makePdf(['# Refunds\nThey take three days.', '退款会在三个工作日内到账。']),
    makeDocx(['# 退款', '- one', ['a', 'b']]),
    makePng(60, 30, ''),
    makeGif(60, 30),
    Buffer.from('{"a": [1, {"b": "退款"}]}'),
    Buffer.from('<!doctype html><table><tr><td>a<td>b</table><p>退款'),
    Buffer.from('a,b\n1,2\n3,"4\n5"\n'),
  ];
  const wrong: unknown[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const whole = random.pick(sound);
    const bytes = Buffer.from(whole.subarray(0, 1 + random.int(whole.length)));
    // A few wrong bytes; every fifth file is noise after a valid beginning.
    for (let flips = random.int(8); flips > 0; flips -= 1) bytes[random.int(bytes.length)] = random.int(256);
    if (round % 5 === 0) for (let at = 8; at < bytes.length; at += 1) bytes[at] = random.int(256);
    const end = await extractor.read(bytes).catch((error: unknown) => error);
    if (!isExpected(end)) wrong.push({ round, end });
  }
  return wrong;
}

function isExpected(end: unknown): boolean {
  if (end instanceof Error) return end instanceof ApiError && [413, 415, 422].includes(end.status);
  const { text, language } = end as { text: string; language: string };
  return typeof text === 'string' && text.isWellFormed() && /^(?:zh|en)$/.test(language);
}
