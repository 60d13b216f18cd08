import { type Call, failure } from 'host/stand-ins';

/** A parsed POST /api/predict request. */
interface ReceivedFiles {
  files: File[];
  /** The value of a form field; '' if it is missing. */
  field(name: string): string;
  /** Sends an event. */
  send(event: string, data: object): void;
  /** All events sent so far. */
  text(): string;
}

/** Simulates a slow upload, `pace` milliseconds per step, and reads the files page by page. Rejects what the API rejects. */
export async function receiveFiles(
  { body, signal, sent, received }: Call,
  pace: number,
): Promise<ReceivedFiles> {
  const form = body as FormData;
  const files = form.getAll('file') as File[];
  const total = files.reduce((sum, { size }) => sum + size, 0) + 400;
  for (let step = 1; step <= 20; step += 1) {
    await pause(pace * 4, signal);
    sent?.(Math.round((total * step) / 20), total);
  }
  const large = files.find(({ size }) => size > 20 * 1024 * 1024);
  if (large) throw failure(413, 'too_large', `文件一共不能超过 20 MB，“${large.name}” 太大`);
  const bad = files.find(
    ({ name }) => !/\.(txt|md|csv|json|html?|pdf|docx|xlsx|pptx|png|jpe?g|webp|gif)$/i.test(name),
  );
  if (bad) throw failure(415, 'unsupported_type', `“${bad.name}” 不是支持的文件类型`);

  let text = '';
  const send: ReceivedFiles['send'] = (event, data) => {
    text += `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    received?.(text);
  };
  for (const [index, { name }] of files.entries())
    for (let page = 1; page <= 8; page += 1) {
      await pause(pace * 4, signal);
      send('reading', { file: index, files: files.length, name, done: page * 5, total: 40 });
    }
  return { files, field: (name) => String(form.get(name) ?? ''), send, text: () => text };
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(failure(0, 'aborted', 'aborted'));
    });
  });
}
