import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** One instruction of a Dockerfile, for example `COPY` with `api api`. */
interface Instruction {
  name: string;
  text: string;
}

interface Stage {
  name: string;
  base: string;
  instructions: Instruction[];
}

/** What the last stage says about running the image. */
export interface Image {
  /** Its root folder. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

/** Why images cannot be built here; undefined if they can. */
export function whyNoImage(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'chroot and unshare need root on Linux';
  try {
    execFileSync('debootstrap', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'the base system comes from debootstrap: apt-get install debootstrap';
  }
  return undefined;
}

export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim());
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') {
      const [, base = '', as = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? [];
      stages.push({ name: as, base, instructions: [] });
    } else stages.at(-1)!.instructions.push({ name, text: rest });
  }
  return stages;
}

/**
 * Builds the root folder of an image by the instructions of its Dockerfile, without a container engine. RUN of a stage on Node's image runs here, with
 * WORKDIR mounted in its place; RUN of the last stage runs in its root, a Debian made by debootstrap.
 * @param args replace the defaults of ARG
 */
export function buildImage(dockerfile: string, folder: string, args: Record<string, string>): Image {
  const context = path.join(folder, 'context');
  copyContext(context);
  const stages = parseDockerfile(readFileSync(path.join(root, dockerfile), 'utf8'));
  const roots = new Map<string, string>();
  let image: Image | undefined;
  for (const { name, base, instructions } of stages) {
    const own = path.join(folder, name || 'image');
    roots.set(name, own);
    const isFinal = !base.startsWith('node:');
    if (isFinal) copyDebian(base, own);
    image = { root: own, workdir: '/', env: {}, user: '0:0', entrypoint: [], command: [], healthcheck: [] };
    const given: Record<string, string> = {};
    for (const instruction of instructions) {
      const { text } = instruction;
      const [, key = '', value = ''] = /^(\w+)=?(.*)$/.exec(text) ?? [];
      if (instruction.name === 'WORKDIR') {
        image.workdir = text;
        mkdirSync(path.join(own, text), { recursive: true });
      } else if (instruction.name === 'ARG') given[key] = args[key] ?? value;
      else if (instruction.name === 'ENV')
        for (const pair of text.split(' '))
          image.env[pair.split('=', 1)[0]!] = pair.slice(pair.indexOf('=') + 1);
      else if (instruction.name === 'RUN') run(text, image, isFinal, given);
      else if (instruction.name === 'COPY') copy(text, image, context, roots);
      else if (instruction.name === 'USER') image.user = text;
      else if (instruction.name === 'ENTRYPOINT') image.entrypoint = JSON.parse(text) as string[];
      else if (instruction.name === 'CMD') image.command = JSON.parse(text) as string[];
      else if (instruction.name === 'HEALTHCHECK')
        image.healthcheck = JSON.parse(text.slice(text.indexOf('CMD ') + 4)) as string[];
      else if (!['VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(instruction.name))
        throw new Error(`${instruction.name} of the Dockerfile is not known here`);
    }
  }
  return image!;
}

/** What the builder receives: the files of the repository that .dockerignore does not exclude. */
function copyContext(to: string): void {
  const patterns = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const isIgnored = (file: string) => {
    const parts = file.split('/');
    return parts.some((_, at) => {
      const part = parts.slice(0, at + 1).join('/');
      return patterns.some((pattern) => path.matchesGlob(part, pattern));
    });
  };
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (!file || isIgnored(file) || !existsSync(path.join(root, file))) continue;
    cpSync(path.join(root, file), path.join(to, file));
  }
}

function copy(text: string, image: Image, context: string, roots: Map<string, string>): void {
  const words = text.split(/\s+/);
  const from = words[0]!.startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined;
  const target = words.pop()!;
  const to = path.join(image.root, path.resolve(image.workdir, target));
  for (const source of words) {
    // Node's image has Node.js there; the stages built here have what was copied to WORKDIR alone.
    const isNode = from !== undefined && source === '/usr/local/bin/node';
    const path_ = isNode
      ? process.execPath
      : path.join(from === undefined ? context : roots.get(from)!, source);
    const isFolder = statSync(path_).isDirectory();
    const isInto = !isFolder && (target.endsWith('/') || target === './');
    const end = isInto ? path.join(to, path.basename(source)) : to;
    mkdirSync(path.dirname(end), { recursive: true });
    execFileSync('cp', ['-a', isFolder ? `${path_}/.` : path_, isFolder ? makeFolder(end) : end]);
  }
}

function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

function run(
  command: string,
  { root: own, workdir, env }: Image,
  isFinal: boolean,
  args: Record<string, string>,
): void {
  if (isFinal) {
    const inside = `cd ${workdir} && ${command}`;
    execFileSync('chroot', [own, '/bin/sh', '-c', inside], { env: { PATH, ...env, ...args }, stdio: 'pipe' });
    return;
  }
  const script = `mount -t tmpfs tmpfs ${path.dirname(workdir)} && mkdir ${workdir} && mount --bind "$STAGE" ${workdir} && cd ${workdir} && ${command}`;
  // Without what `npm run` sets for this process.
  const outer = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS|NODE_ENV)/.test(name)),
  );
  execFileSync('unshare', ['--mount', 'sh', '-c', script], {
    env: {
      ...outer,
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      STAGE: path.join(own, workdir),
      ...env,
      ...args,
    },
    stdio: 'pipe',
    maxBuffer: 64 * 1024 * 1024,
  });
}

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A minimal Debian, made once; without what the image debian:…-slim lacks too. */
function copyDebian(base: string, to: string): void {
  const [, release = ''] = /^debian:(\w+)-slim$/.exec(base) ?? [];
  if (!release) throw new Error(`the base image must be debian:…-slim, got ${base}`);
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'consultation-desk');
  const kept = path.join(cache, `debian-${release}`);
  if (!existsSync(kept)) {
    const partial = `${kept}-${process.pid}`;
    mkdirSync(cache, { recursive: true });
    try {
      execFileSync('debootstrap', ['--variant=minbase', release, partial], {
        stdio: 'pipe',
        maxBuffer: 64 * 1024 * 1024,
      });
      for (const name of [
        'usr/share/doc',
        'usr/share/man',
        'usr/share/info',
        'usr/share/locale',
        'var/cache/apt',
        'var/lib/apt/lists',
      ])
        rmSync(path.join(partial, name), { recursive: true, force: true });
      renameSync(partial, kept);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }
  execFileSync('cp', ['-a', kept, to]);
}
