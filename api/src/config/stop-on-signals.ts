/** One Ctrl-C is heard twice under npm, from the terminal and passed on by npm; a second one is meant later than this, in ms. */
const sameSignalMs = 1000;

/**
 * Ends the process in order at the first SIGINT or SIGTERM, and at once at the second. Sets no exit code but 0: being told to stop
 * is no failure.
 */
export function stopOnSignals(server: { close(): Promise<void> }): void {
  let stoppingSince: number | undefined;
  const stop = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    server.close().then(
      () => process.exit(0),
      (cause: unknown) => {
        console.error('stopping failed:', cause);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
