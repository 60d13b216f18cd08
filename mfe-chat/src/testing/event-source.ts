import type { AnswerEvent } from 'api/contract/chat';

/** The server side of an event stream. */
export interface EventSourceEnd {
  stream: ReadableStream<Uint8Array>;
  /** `at` is the event's id: the UTF-16 units sent so far. */
  send<Name extends AnswerEvent['event']>(
    event: Name,
    data: Extract<AnswerEvent, { event: Name }>['data'],
    at: number,
  ): void;
  /** Sends an event of another stream. */
  sendOther(event: string, data: object): void;
  /** Sends raw bytes. */
  bytes(bytes: Uint8Array): void;
  comment(): void;
  /** Breaks the connection. */
  cut(): void;
  end(): void;
  /** True once the reader has cancelled the stream. */
  isCancelled(): boolean;
}

export function createEventSource(): EventSourceEnd {
  const encoder = new TextEncoder();
  let isCancelled = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      isCancelled = true;
    },
  });
  const bytes = (chunk: Uint8Array) => {
    if (!isCancelled) controller.enqueue(chunk);
  };
  return {
    stream,
    bytes,
    send: (event, data, at) =>
      bytes(encoder.encode(`id: ${at}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    sendOther: (event, data) => bytes(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
    comment: () => bytes(encoder.encode(': still here\n\n')),
    cut: () => controller.error(new TypeError('network error')),
    end: () => isCancelled || controller.close(),
    isCancelled: () => isCancelled,
  };
}
