import {
  getDocument,
  PDFDataRangeTransport,
  PDFWorker,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerCode from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker-code';
import { readInParts, type SourceReader } from './source-reader.ts';
import { startWorker } from './start-worker.ts';

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Size of the first part that is loaded, in bytes. Smaller files are loaded at once. */
const FIRST_PART = 512 * 1024;

/** Size of all other parts. To find a page, pdf.js may read the entries of all pages before it, which are spread over the file. */
const PART = 128 * 1024;

/** Maximum size of a decoded image, in pixels, against files that would exhaust the memory. */
const MAX_IMAGE = 64 * 1024 * 1024;

export type OpenPdf = Awaited<ReturnType<typeof openPdf>>;

/**
 * Opens a document's original file in a worker. Of a large file only the needed parts are loaded. Nothing in the file can run: no scripts, no
 * forms, no links. Rejects if the file cannot be loaded or read, for example because it is encrypted, damaged, or was replaced meanwhile.
 */
export async function openPdf(documentId: string, reader: Pick<SourceReader, 'bytes'>, signal: AbortSignal) {
  const { first, read } = await readInParts(documentId, FIRST_PART, reader, signal);
  const worker = startWorker(workerCode);
  const pdfWorker = new PDFWorker({ port: worker as unknown as null, verbosity: VerbosityLevel.ERRORS });
  const range = new PDFDataRangeTransport(first.size, first.bytes);
  const isWhole = first.bytes.length === first.size;
  const task = getDocument({
    ...(isWhole ? { data: first.bytes } : { range }),
    worker: pdfWorker,
    verbosity: VerbosityLevel.ERRORS,
    rangeChunkSize: PART,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    isEvalSupported: false,
    useWasm: false,
    useWorkerFetch: false,
    useSystemFonts: true,
    maxImageSize: MAX_IMAGE,
    cMapPacked: true,
    CMapReaderFactory: CharacterMaps,
  });
  /** Releases the memory of the document and ends its worker. */
  const close = (): void => {
    void task.destroy().catch(() => undefined);
    pdfWorker.destroy();
    worker.terminate();
  };
  let loading = 0;
  /** Rejects if a part of the file cannot be loaded later. */
  const broken = new Promise<never>((_resolve, reject) => {
    const fail = (reason: unknown) => {
      close();
      reject(reason);
    };
    worker.addEventListener('error', () => fail(new Error('the worker does not run')));
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    range.requestDataRange = (start: number, end: number) => {
      loading += 1;
      read(start, end).then((bytes) => {
        loading -= 1;
        range.onDataRange(start, bytes);
      }, fail);
    };
  });
  try {
    const document = await Promise.race([task.promise, broken]);
    return {
      document,
      /** Whether a part of the file is being loaded. */
      isLoading: (): boolean => loading > 0,
      broken,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Character maps of Chinese fonts that are not embedded. Fonts are those of the system. */
class CharacterMaps {
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: true }> {
    const maps = await import(
      /* webpackChunkName: "pdf-maps" */ 'pdfjs-dist/cmaps/UniGB-UCS2-H.bcmap?character-maps'
    );
    const found = maps.default[`${name}.bcmap`];
    if (!found) throw new Error(`expected a Chinese character map, got ${name}`);
    const cMapData = Uint8Array.from(atob(found), (character) => character.charCodeAt(0));
    return { cMapData, isCompressed: true };
  }
}
