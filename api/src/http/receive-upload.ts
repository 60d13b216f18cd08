import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, rm, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, invalidRequest, ofFile } from '../errors/errors.ts';
import { isDiskFull } from '../store/store-failure.ts';
import type { DeskContext, DeskMiddleware, UploadedFile } from './desk-state.ts';
import { imageLength } from './image-length.ts';
import { readBody } from './read-body.ts';
import { boundaryOf, type Part, readMultipart } from './read-multipart.ts';

/** All methods throw quota_used if the caller's daily quota is used up. */
export interface UploadMeter {
  /** Checks before reading whether `bytes` would fit. Counts nothing. */
  expect(bytes: number): Promise<void>;
  /** Counts received bytes. */
  take(bytes: number): Promise<void>;
  /** Counts the bytes that `take` has not written yet. */
  finish(): Promise<void>;
  /** Reverts the count, if nothing was stored. */
  giveBack(): Promise<void>;
}

export interface UploadBounds {
  /** Folder for temporary files; see files/open-files.ts. */
  folder: string;
  /** MAX_UPLOAD_MB: limit for all files of a request together. */
  maxMb: number;
  /** Default 10. */
  maxFiles?: number;
  /** Counts received bytes; omitted: no quota. */
  meterOf?(ctx: DeskContext): UploadMeter;
}

/** Maximum bytes of all text fields together, and of the body apart from its files. */
const maxFieldBytes = 64 * 1024;
const maxOverheadBytes = 256 * 1024;
/** Maximum number of parts apart from the files. */
const maxFields = 50;
const maxNameLength = 255;
/** Bytes of disk space that uploads leave for the store, which needs room even to delete. */
const leftFree = 32 * 1024 * 1024;

/**
 * Receives a multipart body: stores its files named `file` in temporary files, hashing them on the way, and
 * its text fields. The handler finds them in `ctx.state.uploaded`. The temporary files are deleted when the
 * handler, and any work passed to `uploaded.holdFor`, has ended, successfully or not.
 * Must come after `identify` and the limit: nothing of the body is read before. A refused body is left
 * unread: see `drainBody`.
 * @throws unsupported_type for any other body; upload_too_large, too_many_files; invalidRequest('file') without
 * files, and for any other invalid field; unreadableFile for an empty one; disk_full.
 */
export function receiveUpload({ folder, maxMb, maxFiles = 10, meterOf }: UploadBounds): DeskMiddleware {
  return async (ctx, next) => {
    const boundary = boundaryOf(ctx.get('Content-Type'));
    const encoding = ctx.get('Content-Encoding').toLowerCase();
    if (boundary === null || !/^(identity)?$/.test(encoding)) throw new ApiError('unsupported_type');
    const maxTotal = maxMb * 1024 * 1024;
    const declared = Number(ctx.get('Content-Length') || 0);
    if (declared > maxTotal + maxOverheadBytes) throw new ApiError('upload_too_large', { count: maxMb });
    const meter = meterOf?.(ctx);
    await meter?.expect(declared);
    await needRoom(folder, declared || maxTotal);
    const paths: string[] = [];
    const held: Promise<unknown>[] = [];
    const removeAll = () => Promise.all(paths.map((path) => rm(path, { force: true })));
    try {
      const newPath = () => {
        const path = join(folder, randomUUID());
        paths.push(path);
        return path;
      };
      const taken = await takeParts(ctx, boundary, { maxTotal, maxMb, maxFiles, meter, newPath });
      ctx.state.uploaded = { ...taken, holdFor: (work) => void held.push(work) };
      await next();
    } catch (cause) {
      if (isRefusal(cause)) await meter?.giveBack();
      throw cause;
    } finally {
      if (held.length > 0) void endHeld();
      else await removeAll();
    }

    /** The response does not wait for this. */
    async function endHeld(): Promise<void> {
      const ended = await Promise.allSettled(held);
      const wasRefused = ended.some((one) => one.status === 'rejected' && isRefusal(one.reason));
      if (wasRefused) await meter?.giveBack().catch(() => undefined);
      await removeAll();
    }
  };
}

/** Refused files were not stored; an interrupted answer has stored its files. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof ApiError && cause.status < 500;
}

/** Space for the temporary file and the permanent one. @throws disk_full */
async function needRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < 2 * bytes + leftFree) throw new ApiError('disk_full');
}

interface Taking {
  maxTotal: number;
  maxMb: number;
  maxFiles: number;
  meter: UploadMeter | undefined;
  newPath(): string;
}

async function takeParts(ctx: DeskContext, boundary: string, taking: Taking) {
  const files: UploadedFile[] = [];
  const fields: Record<string, string> = Object.create(null);
  let fieldBytes = 0;
  let fileBytes = 0;
  let count = 0;
  try {
    for await (const part of readMultipart(bounded(ctx, taking), boundary)) {
      count += 1;
      if (count > taking.maxFiles + maxFields)
        throw new ApiError('too_many_files', { count: taking.maxFiles });
      if (part.filename === null) {
        fields[part.name] = await takeField(part, (bytes) => {
          fieldBytes += bytes;
          if (fieldBytes > maxFieldBytes) throw invalidRequest(shownName(part.name));
        });
        continue;
      }
      if (part.name !== 'file') throw invalidRequest(shownName(part.name));
      const file = await receiveFile(part, taking.newPath(), (bytes) => {
        fileBytes += bytes;
        if (fileBytes > taking.maxTotal) throw new ApiError('upload_too_large', { count: taking.maxMb });
      });
      // Browsers send this for a field without a chosen file.
      if (file.size === 0 && part.filename === '') continue;
      if (file.size === 0) throw ofFile(new ApiError('unreadable_empty'), file.name);
      if (files.length === taking.maxFiles) throw new ApiError('too_many_files', { count: taking.maxFiles });
      files.push(await trimImage(file));
    }
    await taking.meter?.finish();
  } catch (cause) {
    throw isDiskFull(cause) ? new ApiError('disk_full') : cause;
  }
  if (files.length === 0) throw invalidRequest('file');
  return { files, fields };
}

async function* bounded(ctx: DeskContext, { maxTotal, maxMb, meter }: Taking): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of readBody(ctx)) {
    size += chunk.length;
    if (size > maxTotal + maxOverheadBytes) throw new ApiError('upload_too_large', { count: maxMb });
    await meter?.take(chunk.length);
    yield chunk;
  }
}

/** @throws invalidRequest unless it is well-formed UTF-8 */
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

async function receiveFile({ filename, content }: Part, path: string, count: (bytes: number) => void) {
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

/** Cuts off data after the end of an image. */
async function trimImage(file: UploadedFile): Promise<UploadedFile> {
  if (!(await isPicture(file.path))) return file;
  const bytes = await readFile(file.path);
  const size = imageLength(bytes);
  if (size === file.size) return file;
  await truncate(file.path, size);
  return { ...file, size, hash: createHash('sha256').update(bytes.subarray(0, size)).digest('hex') };
}

/** Checks the signature at the beginning. */
async function isPicture(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  return /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF)/.test(buffer.toString('latin1'));
}

/** The last path segment, without characters that would disturb a line or a listing. */
function fileName(given: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? '';
  // Removes control characters and those that change the writing direction.
  const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
  const plain = last.normalize('NFC').replace(unseen, '').trim();
  const whole = plain === '' || /^\.+$/.test(plain) ? 'file' : plain.toWellFormed();
  return whole.length <= maxNameLength ? whole : cutName(whole);
}

/** Keeps the end of a long name, which contains the extension. */
function cutName(name: string): string {
  const extension = /\.[\w]{1,10}$/.exec(name)?.[0] ?? '';
  return name.slice(0, maxNameLength - extension.length).replace(/[\ud800-\udbff]$/, '') + extension;
}

/** The name of a field chosen by the client, truncated. */
function shownName(name: string): string {
  return name.slice(0, 100).toWellFormed() || 'body';
}
