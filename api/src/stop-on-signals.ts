/**
 * Ends the process in order at the first SIGINT or SIGTERM, and at once at the second. Sets no exit code but 0: being told to stop
 * is no failure.
 */
export function stopOnSignals(server: { close(): Promise<void> }): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
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
