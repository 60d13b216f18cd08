import type { mongo } from 'mongoose';

/** The parts of the driver's client that are not in its types. */
interface Internals {
  topology?: { s: { servers: Map<string, { monitor: { close(): void; connect(): void } | null }> } };
}

/**
 * Restarts a monitor of the driver that does not finish its heartbeat in time.
 *
 * In mongodb 7.8 a heartbeat that writes to a socket which was destroyed a moment before waits for its 'drain' event forever
 * (`Connection.writeCommand`), and the client never finds that server again.
 * @param hangingAfterMs longer than any heartbeat takes to succeed or fail
 */
export function restartHangingMonitors(client: mongo.MongoClient, hangingAfterMs: number): void {
  const timers = new Map<string, NodeJS.Timeout>();
  const stop = ({ connectionId }: { connectionId: string }) => clearTimeout(timers.get(connectionId));
  client.on('serverHeartbeatStarted', (event) => {
    stop(event);
    const restart = () => {
      const monitor = (client as Internals).topology?.s.servers.get(event.connectionId)?.monitor;
      monitor?.close();
      monitor?.connect();
    };
    timers.set(event.connectionId, setTimeout(restart, hangingAfterMs).unref());
  });
  client.on('serverHeartbeatSucceeded', stop);
  client.on('serverHeartbeatFailed', stop);
  client.on('topologyClosed', () => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
}
