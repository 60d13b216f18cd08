import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut in the middle of a response, which no emulation of a browser's does. */
export interface Line {
  url: string;
  /** Breaks what is open and takes nothing new, until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startLine(to: string): Promise<Line> {
  const port = Number(new URL(to).port);
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
      // A broken end is what this is for.
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
    mend() {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
}
