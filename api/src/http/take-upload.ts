import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rm, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ApiError,
  diskFull,
  invalidRequest,
  ofFile,
  tooManyFiles,
  unreadableFile,
  unsupportedType,
  uploadTooLarge,
} from '../errors/errors.ts';
import { isDiskFull } from '../store/store-failure.ts';
import { pictureLength } from './cut-picture.ts';
import type { DeskContext, DeskMiddleware } from './desk-state.ts';
import { boundaryOf, type Part, readMultipart } from './read-multipart.ts';
import type { Uploaded, UploadedFile } from './uploaded.ts';

/** All throw quotaUsed when the caller's bytes of a day are used up. */
export interface UploadMeter {
  /** To be asked before anything is read: whether `bytes` could come. Counts nothing. */
  expect(bytes: number): Promise<void>;
  /** Counts bytes that came. */
  take(bytes: number): Promise<void>;
  /** Counts what `take` has not counted yet. */
  finish(): Promise<void>;
  /** Nothing was kept of what came: it does not count. */
  giveBack(): Promise<void>;
}

export interface UploadBounds {
  /** Where temporary files go; see files/temporary-folder.ts. */
  folder: string;
  /** MAX_UPLOAD_MB: of all files of a call together. */
  maxMb: number;
  /** Default 10. */
  maxFiles?: number;
  /** Counts what comes; without it nothing is counted. */
  meterOf?(ctx: DeskContext): UploadMeter;
}

/** Bytes of all text fields together, and of the whole body besides its files. */
const largestFields = 64 * 1024;
const largestRest = 256 * 1024;
/** Parts besides the files. */
const mostFields = 50;
/** Inactivity after which an uploading client counts as disconnected, in ms. */
const longestSilence = 60_000;
const longestName = 255;
/** Uploads leave so many bytes of the disk to the store, which needs room for removing, too. */
const leftFree = 32 * 1024 * 1024;

/**
 * Takes a multipart body in: its files named `file` into temporary files, hashed as they come, and its text fields. The handler finds them
 * in `ctx.state.uploaded`. The temporary files go when the handler is through, and what it told `uploaded.holdFor`; however that ends.
 *
 * To stand behind `identify` and the limit: nothing of the body is read before. What is refused is left unread: see take-whole-body.ts.
 *
 * @throws unsupportedType for any other body; uploadTooLarge, tooManyFiles; invalidRequest('file') for none, and for any other wrong
 * field; unreadableFile for an empty one; diskFull.
 */
export function takeUpload({ folder, maxMb, maxFiles = 10, meterOf }: UploadBounds): DeskMiddleware {
  return async (ctx, next) => {
    const boundary = boundaryOf(ctx.get('Content-Type'));
    const encoding = ctx.get('Content-Encoding').toLowerCase();
    if (boundary === null || !/^(identity)?$/.test(encoding)) throw unsupportedType();
    const most = maxMb * 1024 * 1024;
    const told = Number(ctx.get('Content-Length') || 0);
    if (told > most + largestRest) throw uploadTooLarge(maxMb);
    const meter = meterOf?.(ctx);
    await meter?.expect(told);
    await needRoom(folder, told || most);
    const paths: string[] = [];
    const held: Promise<unknown>[] = [];
    const removeAll = () => Promise.all(paths.map((path) => rm(path, { force: true })));
    try {
      const newPath = () => {
        const path = join(folder, randomUUID());
        paths.push(path);
        return path;
      };
      const taken = await takeParts(ctx, boundary, { most, maxMb, maxFiles, meter, newPath });
      ctx.state.uploaded = { ...taken, holdFor: (work) => void held.push(work) };
      await next();
    } catch (cause) {
      if (isRefusal(cause)) await meter?.giveBack();
      throw cause;
    } finally {
      if (held.length > 0) void endHeld();
      else await removeAll();
    }

    /** Nobody waits for it any more. */
    async function endHeld(): Promise<void> {
      const ended = await Promise.allSettled(held);
      const wasRefused = ended.some((one) => one.status === 'rejected' && isRefusal(one.reason));
      if (wasRefused) await meter?.giveBack().catch(() => undefined);
      await removeAll();
    }
  };
}

/** What was refused was not kept; an answer that broke off has kept its files. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof ApiError && cause.status < 500;
}

/** For the temporary file and the one that is kept. @throws diskFull */
async function needRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 2 * bytes + leftFree) throw diskFull();
}

interface Taking {
  most: number;
  maxMb: number;
  maxFiles: number;
  meter: UploadMeter | undefined;
  newPath(): string;
}

async function takeParts(
  ctx: DeskContext,
  boundary: string,
  taking: Taking,
): Promise<Pick<Uploaded, 'files' | 'fields'>> {
  const { req } = ctx;
  const files: UploadedFile[] = [];
  const fields: Record<string, string> = Object.create(null);
  let fieldBytes = 0;
  let fileBytes = 0;
  let count = 0;
  req.setTimeout(longestSilence, () => req.destroy());
  try {
    for await (const part of readMultipart(bounded(ctx, taking), boundary)) {
      count += 1;
      if (count > taking.maxFiles + mostFields) throw tooManyFiles(taking.maxFiles);
      if (part.filename === null) {
        fields[part.name] = await takeField(part, (bytes) => {
          fieldBytes += bytes;
          if (fieldBytes > largestFields) throw invalidRequest(shownName(part.name));
        });
        continue;
      }
      if (part.name !== 'file') throw invalidRequest(shownName(part.name));
      const file = await takeFile(part, taking.newPath(), (bytes) => {
        fileBytes += bytes;
        if (fileBytes > taking.most) throw uploadTooLarge(taking.maxMb);
      });
      // What a form sends for a field in which no file was chosen.
      if (file.size === 0 && part.filename === '') continue;
      if (file.size === 0) throw ofFile(unreadableFile('empty'), file.name);
      if (files.length === taking.maxFiles) throw tooManyFiles(taking.maxFiles);
      files.push(await cutPicture(file));
    }
    await taking.meter?.finish();
  } catch (cause) {
    // The client disconnected: nobody reads the response, and it is no server error.
    if (req.destroyed && !req.complete) throw invalidRequest('body', 'invalid_http');
    throw isDiskFull(cause) ? diskFull() : cause;
  } finally {
    req.setTimeout(0);
  }
  if (files.length === 0) throw invalidRequest('file');
  return { files, fields };
}

async function* bounded({ req }: DeskContext, { most, maxMb, meter }: Taking): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > most + largestRest) throw uploadTooLarge(maxMb);
    await meter?.take(chunk.length);
    yield chunk;
  }
}

/** @throws invalidRequest for what is not well-formed UTF-8 */
async function takeField({ name, content }: Part, count: (bytes: number) => void): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) {
    count(chunk.length);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw invalidRequest(shownName(name));
  }
}

async function takeFile(
  { filename, content }: Part,
  path: string,
  count: (bytes: number) => void,
): Promise<UploadedFile> {
  const hash = createHash('sha256');
  let size = 0;
  await using file = await open(path, 'wx', 0o600);
  for await (const chunk of content) {
    count(chunk.length);
    size += chunk.length;
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  return { path, name: fileName(filename ?? ''), size, hash: hash.digest('hex') };
}

/** Cuts off what comes after the end of a picture. */
async function cutPicture(file: UploadedFile): Promise<UploadedFile> {
  if (!(await isPicture(file.path))) return file;
  const bytes = await readFile(file.path);
  const size = pictureLength(bytes);
  if (size === file.size) return file;
  await truncate(file.path, size);
  return { ...file, size, hash: createHash('sha256').update(bytes.subarray(0, size)).digest('hex') };
}

/** Told by how it begins. */
async function isPicture(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF)/.test(buffer.toString('latin1'));
}

/** Its last path segment, without what would upset a line or a listing. */
function fileName(given: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? '';
  // Control characters, and those that turn the direction of what follows.
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const whole = plain === '' || /^\.+$/.test(plain) ? 'file' : plain.toWellFormed();
  return whole.length <= longestName ? whole : cutName(whole);
}

/** The end tells what it is. */
function cutName(name: string): string {
  const extension = /\.[\w]{1,10}$/.exec(name)?.[0] ?? '';
  return name.slice(0, longestName - extension.length).replace(/[\ud800-\udbff]$/, '') + extension;
}

/** Of a field that somebody named: whatever it is, a little of it. */
function shownName(name: string): string {
  return name.slice(0, 100).toWellFormed() || 'body';
}
