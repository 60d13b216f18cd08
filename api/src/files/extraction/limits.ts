/** Resource limits for one file. */
export interface Limits {
  /** Of a PDF. */
  maxPages: number;
  /** UTF-16 units of extracted text. */
  maxText: number;
  /** Bytes that a zip may unpack to. */
  maxUnpacked: number;
  /** Pixels of an image according to its header. */
  maxPixels: number;
  /** Maximum pages of a scanned PDF that are recognised. */
  maxScannedPages: number;
  /** Time for one page of a PDF in ms, after which it is given up. */
  pageTime: number;
  /** Time for recognising a scanned PDF in ms; the text recognised by then is used. */
  scanTime: number;
  /** Time for recognising an image in ms; afterwards it is kept without text. */
  imageTime: number;
  /** Total time in ms, after which the reader process is killed. */
  maxTime: number;
  /** Total memory of the reader process in MB. */
  maxMemoryMb: number;
  /** JavaScript heap of the reader process in MB. */
  maxHeapMb: number;
}

export const usualLimits: Limits = {
  maxPages: 2000,
  maxText: 5_000_000,
  maxUnpacked: 50_000_000,
  maxPixels: 40_000_000,
  maxScannedPages: 20,
  pageTime: 5000,
  scanTime: 45_000,
  imageTime: 55_000,
  maxTime: 60_000,
  maxMemoryMb: 1400,
  maxHeapMb: 640,
};
