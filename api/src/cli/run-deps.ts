export interface RunDeps {
  /** Arguments without the program's name. */
  argv: readonly string[];
  env: Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
}

/** Output is discarded once its reader has closed the pipe (`| head -1`); the exit code still counts. */
export function handleEpipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause;
    });
}
