import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import { until } from '../../api/src/testing/until.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { freePort } from '../start-desk.ts';
import { buildImage, type Image, PATH, whyNoImage } from './build-image.ts';

const missing = whyNoImage();
const ifPossible = missing === undefined ? test : test.skip;
/** Not in memory: it is larger than some machines have. */
const folder = mkdtempSync('/var/tmp/desk-image-');
let image: Image;

beforeAll(() => {
  if (missing !== undefined) console.error(`The image is not tested: ${missing}`);
  else image = buildImage('deploy/Dockerfile', folder, { OCR_DATA: 'no' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

ifPossible('the image is at most 250 MB compressed, and has no tools for building', () => {
  const tools = ['npm', 'npx', 'corepack', 'yarn', 'gcc', 'cc', 'make', 'python3', 'git'];
  const found = ['usr/bin', 'usr/local/bin'].flatMap((bin) => readdirSync(path.join(image.root, bin)));
  expect(found.filter((name) => tools.includes(name))).toEqual([]);
  const compressed = Number(
    execFileSync('sh', ['-c', 'tar -C "$1" -c . | gzip -6 | wc -c', 'sh', image.root], { encoding: 'utf8' }),
  );
  console.log(`compressed: ${(compressed / 1e6).toFixed(1)} MB`);
  expect(compressed).toBeLessThanOrEqual(250e6);
  expect(existsSync(path.join(image.root, 'opt/desk/node_modules/typescript'))).toBe(false);
});

ifPossible(
  'started with a read-only root and not as root, it is healthy, answers and stops with 0',
  async () => {
    const data = path.join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    const [uid, gid] = image.user.split(':').map(Number);
    chownSync(data, uid!, gid!);
    const port = await freePort();
    const env = { PATH, ...image.env, HOST: '127.0.0.1', PORT: String(port), DRAIN_SECONDS: '0' };
    const mounts = [
      'mount --bind "$ROOT" "$ROOT"',
      'mount --rbind /dev "$ROOT/dev"',
      'mount -t proc proc "$ROOT/proc"',
      'mount -t tmpfs tmpfs "$ROOT/tmp"',
      'mount --bind "$DATA" "$ROOT/data"',
      'mount -o remount,ro,bind "$ROOT"',
    ].join(' && ');
    const inside = `cd ${image.workdir} && exec "$@"`;
    const enter = `${mounts} && exec chroot --userspec="$AS" "$ROOT" /bin/sh -c '${inside}' sh "$@"`;
    const start = (command: string[], user = image.user) =>
      spawn('unshare', ['--mount', 'sh', '-c', enter, 'sh', ...command], {
        env: { ...env, ROOT: image.root, DATA: data, AS: user },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const desk = start([...image.entrypoint, ...image.command]);
    let output = '';
    for (const stream of [desk.stdout, desk.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const ended = once(desk, 'exit');
    try {
      const url = `http://127.0.0.1:${port}`;
      await until(async () => {
        if (desk.exitCode !== null) throw new Error(`it ended with ${desk.exitCode}:\n${output}`);
        return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true;
      }, 300_000);
      const status = readFileSync(`/proc/${desk.pid}/status`, 'utf8');
      expect(status).toMatch(new RegExp(`^Uid:\\t${uid}\\t${uid}\\t`, 'm'));

      const page = await (await fetch(`${url}/chatbot`)).text();
      expect(page).toContain('<script');
      const { status: code, body } = await createVisitor(url).call<ChatAnswer>('POST', '/api/chat', {
        text: 'How do I back up and restore?',
      });
      expect({ code, response: body.response }).toEqual({
        code: 200,
        response: expect.stringContaining('npm run db'),
      });

      const [health] = await once(start(image.healthcheck), 'exit');
      expect(health).toBe(0);
      const [written] = await once(start(['touch', '/opt/desk/x'], '0:0'), 'exit');
      expect(written).not.toBe(0);
      desk.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
    } finally {
      desk.kill('SIGKILL');
      await ended;
    }
  },
);
