/**
 * `npm run openapi`: compares api/openapi.json with the contract and lists the changes; fails if they differ.
 * `npm run openapi -- write` writes it. The server sends this file as GET /api/openapi.json.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareApis } from './compare-apis.ts';
import { describeApi, type Json } from './describe-api.ts';
import { readContract } from './read-contract.ts';

const root = join(import.meta.dirname, '../../../..');
const path = join(root, 'api/openapi.json');
const { version } = JSON.parse(await readFile(join(root, 'api/package.json'), 'utf8')) as { version: string };
const api = describeApi(await readContract(root), version);
const text = `${JSON.stringify(api, null, 1)}\n`;
const committed = await readFile(path, 'utf8').catch(() => '{}');

if (committed !== text) {
  for (const { place, what, isBreaking } of compareApis(JSON.parse(committed) as Json, api))
    console.error(`${isBreaking ? 'BREAKING ' : ''}${place}: ${what}`);
  if (process.argv[2] === 'write') await writeFile(path, text);
  else {
    console.error(
      'api/openapi.json differs from the contract. Run `npm run openapi -- write` if that is intended.',
    );
    process.exitCode = 1;
  }
}
