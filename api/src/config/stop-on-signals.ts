/** Time in which a signal is the same one, in ms: under npm, Ctrl-C also arrives from npm. */
const sameSignalMs = 1000;

/**
 * Shuts down gracefully at the first SIGINT or SIGTERM, and immediately at the second. The exit code stays 0:
 * a requested stop is no failure. SIGTERM comes from a supervisor, whose proxies need `drainSeconds` to notice.
 */
export function stopOnSignals(
  server: { close(options: { drainMs: number }): Promise<void> },
  { drainSeconds }: { drainSeconds: number },
): void {
  let stoppingSince: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > sameSignalMs) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    server.close({ drainMs: signal === 'SIGTERM' ? drainSeconds * 1000 : 0 }).then(
      () => process.exit(0),
      (cause: unknown) => {
        console.error('shutdown failed:', cause);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
