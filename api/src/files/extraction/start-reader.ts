import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../errors/errors.ts';
import type { Extracted, ExtractionProgress } from './extractor.ts';
import { FileFailure } from './file-to-read.ts';
import type { Limits } from './limits.ts';
import type { Failure, FromReader, ReadJob } from './reader-messages.ts';

export type Reader = ReturnType<typeof startReader>;

const entry = fileURLToPath(new URL('./reader.ts', import.meta.url));

/**
 * Starts a process that reads files one after the other. It is not a worker thread: if a thread allocates too much
 * memory at once, V8 aborts the whole process regardless of `resourceLimits`, which a hostile file could exploit. The
 * process can read files but not write any or start programs, and has an empty environment, so that it cannot reach
 * secrets.
 */
export function startReader(limits: Limits) {
  const child = fork(entry, [String(limits.maxMemoryMb)], {
    execArgv: [
      `--max-old-space-size=${limits.maxHeapMb}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
    ],
    env: {},
    serialization: 'advanced',
    // Output of libraries, and V8's out-of-memory report, are discarded.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let files = 0;
  let isUsable = true;
  /** Only an administrator can raise a priority again. */
  let isLow = false;
  child.once('exit', () => {
    isUsable = false;
  });
  // An idle reader must not keep the server alive.
  child.unref();
  child.channel?.unref();

  const end = async (): Promise<void> => {
    isUsable = false;
    child.ref();
    child.kill('SIGKILL');
    await gone;
  };

  return {
    get files() {
      return files;
    },
    /** Whether it may be used for another file. */
    get isUsable() {
      return isUsable && !isLow;
    },
    /** `onStart`: the process has loaded and begins. @throws ApiError; AbortError, which ends the process */
    async read(
      job: ReadJob,
      signal: AbortSignal,
      onProgress: (progress: ExtractionProgress) => void,
      onStart?: () => void,
    ): Promise<Extracted> {
      files += 1;
      child.ref();
      child.channel?.ref();
      try {
        return await readIn(child, job, signal, onProgress, onStart);
      } catch (error) {
        // The reader can be reused.
        if (error instanceof FileFailure) throw toApiError(error.failure);
        await end();
        if (error instanceof RecognitionAborted) return { ...error.seen, text: '' };
        throw error;
      } finally {
        child.unref();
        child.channel?.unref();
      }
    },
    /** Gives other readers precedence for the rest of the current file. */
    yieldToOthers() {
      isLow = true;
      for (const thread of threadsOf(child.pid)) lowerPriority(thread);
    },
    /** Kills the process and waits for its end. */
    end,
  };
}

/** Priority of a reader that takes long; that of the others is 5. */
const lowPriority = 15;

/** On Linux, priorities are those of threads. */
function threadsOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

function lowerPriority(thread: number): void {
  try {
    setPriority(thread, lowPriority);
  } catch {
    // It has ended.
  }
}

/** Text recognition in an image did not finish and was aborted. */
class RecognitionAborted extends Error {
  readonly seen: Omit<Extracted, 'text'>;

  constructor(seen: Omit<Extracted, 'text'>) {
    super('the text of the image was not recognised');
    this.seen = seen;
  }
}

function readIn(
  child: ChildProcess,
  job: ReadJob,
  signal: AbortSignal,
  onProgress: (progress: ExtractionProgress) => void,
  onStart: () => void = () => undefined,
): Promise<Extracted> {
  const { imageTime, maxTime, maxMemoryMb } = job.limits;
  const parts: string[] = [];
  const isTooSlow = watchRecognition(imageTime);
  let seen: Omit<Extracted, 'text'> | null = null;
  let stop: () => void = () => undefined;
  const result = new Promise<Extracted>((resolve, reject) => {
    /** Ends the reader; an image that was reported is returned without its text. */
    const giveUp = (error: ApiError) => reject(seen ? new RecognitionAborted(seen) : error);
    const giveUpAfter = (time: number) => setTimeout(() => giveUp(new ApiError('unreadable_too_slow')), time);
    let timer = giveUpAfter(maxTime);
    const onAbort = () => reject(signal.reason);
    const onMessage = (message: FromReader) => {
      if (message.kind === 'started') onStart();
      if (message.kind === 'progress') {
        onProgress(message.progress);
        if (seen && isTooSlow(message.progress.done)) giveUp(new ApiError('unreadable_too_slow'));
      }
      if (message.kind === 'text') parts.push(message.part);
      if (message.kind === 'done') resolve({ ...message.extracted, text: parts.join('') });
      if (message.kind === 'failed') reject(new FileFailure(message.failure));
      if (message.kind === 'broken') reject(toApiError(message.failure));
      if (message.kind === 'seen') {
        seen = message.extracted;
        clearTimeout(timer);
        timer = giveUpAfter(imageTime);
      }
    };
    // V8, the memory watcher and the kernel end a process by a signal if it exceeds its memory.
    const onExit = (_code: number | null, name: NodeJS.Signals | null) =>
      giveUp(name ? new ApiError('file_memory', { count: maxMemoryMb }) : new ApiError('unreadable_damaged'));
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.once('error', reject);
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', reject);
    };
    if (signal.aborted) return onAbort();
    if (!child.connected) return onExit(child.exitCode, child.signalCode);
    child.send(job, (error) => error && giveUp(new ApiError('unreadable_damaged')));
  });
  return result.finally(() => stop());
}

function toApiError(failure: Failure): ApiError {
  if (failure.kind === 'unsupported') return new ApiError('unsupported_file');
  if (failure.kind === 'unreadable') return new ApiError(`unreadable_${failure.reason}`);
  return new ApiError(`file_${failure.what}`, { count: failure.count });
}

/** Time in ms over which the speed is estimated. */
const enough = 8000;
/** Factor by which the estimated time must exceed the limit. */
const tooSlow = 3;

/**
 * Watches progress in percent to abandon hopeless work early: photographic grain looks like endless text, and
 * would otherwise run until the time limit.
 * @param time the time limit in ms. @returns a function to call with each progress value, which returns
 * whether to give up.
 */
export function watchRecognition(
  time: number,
  now: () => number = () => performance.now(),
): (percent: number) => boolean {
  let first: { at: number; percent: number } | null = null;
  return (percent) => {
    first ??= { at: now(), percent };
    const passed = now() - first.at;
    if (passed < enough) return false;
    const pace = (percent - first.percent) / passed;
    return pace * time * tooSlow < 100 - percent;
  };
}
