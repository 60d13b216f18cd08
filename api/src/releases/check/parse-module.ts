import { Worker } from 'node:worker_threads';
import { init, parse } from 'es-module-lexer';

/** The result of parsing a script without running it. */
export interface ParsedModule {
  /** The parser's message if it is not a valid ES module, or classic script, else null. */
  error: string | null;
  /** Exported names; null if it re-exports everything of another module, or is a classic script. */
  exports: string[] | null;
}

/** Parses without running, using V8 itself, in a worker thread because large scripts take long. */
const PARSER = `
const { parentPort } = require('node:worker_threads');
const { Script, SourceTextModule } = require('node:vm');
parentPort.on('message', ({ id, source, isClassic }) => {
  let error = null;
  try {
    new (isClassic ? Script : SourceTextModule)(source);
  } catch (cause) {
    error = String(cause.message);
  }
  parentPort.postMessage({ id, error });
});
`;
const MEMORY_MB = 256;

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, PromiseWithResolvers<string | null>>();

/** Rejects only if the parser itself cannot run. */
export async function parseModule(source: string): Promise<ParsedModule> {
  await init;
  const error = await syntaxError({ source, isClassic: false });
  if (error !== null) return { error, exports: [] };
  const [, exports] = parse(source);
  const names = exports.flatMap((one) => (one.type === 'reexport-all' ? [] : one.name));
  return { error: null, exports: names.length < exports.length ? null : names };
}

/** Like `parseModule`, for a classic script. */
export async function parseScript(source: string): Promise<ParsedModule> {
  return { error: await syntaxError({ source, isClassic: true }), exports: null };
}

function syntaxError(script: { source: string; isClassic: boolean }): Promise<string | null> {
  worker ??= startWorker();
  lastId += 1;
  const id = lastId;
  worker.ref();
  worker.postMessage({ id, ...script });
  const parsed = Promise.withResolvers<string | null>();
  waiting.set(id, parsed);
  return parsed.promise.finally(() => {
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
  });
}

function startWorker(): Worker {
  const started = new Worker(PARSER, {
    eval: true,
    execArgv: ['--experimental-vm-modules', '--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  started.on('message', ({ id, error }: { id: number; error: string | null }) =>
    waiting.get(id)?.resolve(error),
  );
  const fail = (cause: unknown) => {
    if (worker === started) worker = null;
    for (const { reject } of waiting.values()) reject(cause);
  };
  started.on('error', fail);
  started.on('exit', (code) => fail(new Error(`the script parser ended with ${code}`)));
  return started;
}
