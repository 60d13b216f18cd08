/** Output is discarded once its reader has closed the pipe (`| head -1`); the exit code still counts. */
export function handleEpipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause;
    });
}
