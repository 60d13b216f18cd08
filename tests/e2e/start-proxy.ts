import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can be cut in the middle of a response, which browsers cannot emulate. */
interface Proxy {
  url: string;
  /** Closes all connections and rejects new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** Sends new connections to another server. */
  lead(to: string): void;
  close(): Promise<void>;
}

export async function startProxy(to: string): Promise<Proxy> {
  let port = Number(new URL(to).port);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      // Errors of cut connections are expected.
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut,
    restore() {
      isCut = false;
    },
    lead(next) {
      port = Number(new URL(next).port);
    },
    close: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
}
