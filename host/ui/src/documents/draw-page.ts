import { AnnotationMode, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Maximum size of a canvas, in pixels. Some browsers refuse larger ones. */
const MAX_PIXELS = 16 * 1024 * 1024;

/**
 * Draws a page `width` CSS pixels wide, as sharp as the screen. Drawing happens in slices of a few milliseconds. The canvas is empty again
 * after `signal` is aborted, so that its memory is free.
 */
export async function drawPage(
  page: PDFPageProxy,
  width: number,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const size = page.getViewport({ scale: 1 });
  const wanted = (width * (devicePixelRatio || 1)) / size.width;
  const largest = Math.sqrt(MAX_PIXELS / (size.width * size.height));
  const viewport = page.getViewport({ scale: Math.min(wanted, largest) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
  const release = () => {
    task.cancel();
    canvas.width = 0;
    canvas.height = 0;
  };
  signal.addEventListener('abort', release, { once: true });
  try {
    await task.promise;
  } catch (error) {
    release();
    throw error;
  }
  return canvas;
}
