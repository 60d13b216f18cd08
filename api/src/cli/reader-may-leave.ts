/**
 * A reader of what is printed may have seen enough (`| head -1`): the rest goes nowhere, and the exit code still tells what came of
 * the work.
 */
export function readerMayLeave(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EPIPE') throw cause;
    });
}
