/** What one file may take. */
export interface Limits {
  /** Of a PDF. */
  maxPages: number;
  /** UTF-16 units of text that are taken out. */
  maxText: number;
  /** Bytes that a zip may unpack to. */
  maxUnpacked: number;
  /** Of an image, as its header says. */
  maxPixels: number;
  /** Of a scanned PDF, the pages that are read as images. */
  maxScannedPages: number;
  /** Milliseconds that a scanned PDF is read for; what is read by then is its text. */
  scanTime: number;
  /** Milliseconds that the words of an image are looked for; without them it is kept as an image. */
  imageTime: number;
  /** Milliseconds, from the start of reading; after it the reader is ended. */
  maxTime: number;
  /** MB of memory of all kinds that the reader may take. */
  maxMemoryMb: number;
  /** MB of these that JavaScript may take. */
  maxHeapMb: number;
}

export const usualLimits: Limits = {
  maxPages: 2000,
  maxText: 5_000_000,
  maxUnpacked: 50_000_000,
  maxPixels: 40_000_000,
  maxScannedPages: 20,
  scanTime: 45_000,
  imageTime: 55_000,
  maxTime: 60_000,
  maxMemoryMb: 1400,
  maxHeapMb: 640,
};
