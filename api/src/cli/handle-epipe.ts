/**
 * Ignores EPIPE: the reader of the output may close the pipe early (`| head -1`). Further output is
 * discarded, and the exit code still reflects the result.
 */
export function handleEpipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause;
    });
}
