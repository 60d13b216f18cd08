import { getResolvedPDFJS } from 'unpdf';
import { toPnm } from '../pnm.ts';
import type { Page, PdfImages } from './pdf-messages.ts';

/** Maximum number of images read per page, largest first: a scan is one, or a few strips. */
const maxImages = 4;
/** Minimum length of the shorter side in pixels: smaller images contain no line of text. */
const minSide = 24;

/** EXIF orientation by clockwise page rotation in degrees. */
const orientations: Record<number, number> = { 90: 6, 180: 3, 270: 8 };

/** The largest images that a page shows. A scan is read from them, which needs no canvas. */
export async function imagesOf(page: Page): Promise<PdfImages> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const found: { image: ScannedImage; at: number }[] = [];
  let hasOthers = false;
  for (const [at, operator] of fnArray.entries()) {
    const isMask = operator === OPS.paintImageMaskXObject;
    if (!isMask && operator !== OPS.paintImageXObject && operator !== OPS.paintInlineImageXObject) continue;
    const [given] = argsArray[at] as [string | (ScannedImage & { data: unknown })];
    const key = typeof given === 'string' ? given : typeof given.data === 'string' ? given.data : null;
    const image = key === null ? (given as ScannedImage) : await objectOf(page, key);
    if (!image?.data) hasOthers = true;
    else if (Math.min(image.width, image.height) >= minSide) found.push({ image: { ...image, isMask }, at });
  }
  const largest = found.sort((a, b) => b.image.width * b.image.height - a.image.width * a.image.height);
  const images = largest
    .slice(0, maxImages)
    .sort((a, b) => a.at - b.at)
    .map(({ image }) => scanToPnm(image));
  return {
    images: images.filter((image) => image !== null),
    orientation: orientations[page.rotate] ?? 1,
    hasOthers: hasOthers || images.includes(null),
  };
}

function objectOf(page: Page, key: string): Promise<ScannedImage | null> {
  const objects = key.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    objects.get(key, (image: unknown) => resolve(image as ScannedImage | null));
  });
}

/** An image decoded by PDF.js. */
interface ScannedImage {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;
  /** A stencil mask: its set pixels are painted. */
  isMask?: boolean;
}

/** Converts an image to PNM: bilevel, grey, RGB or RGBA, judged by its length. null for anything else. */
function scanToPnm({ width, height, data }: ScannedImage): Buffer | null {
  const pixels = width * height;
  const rowBytes = Math.ceil(width / 8);
  if (data.length === pixels * 4) return colors(width, height, data, 4);
  if (data.length === pixels * 3) return colors(width, height, data, 3);
  if (data.length === pixels) {
    return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), Buffer.from(data)]);
  }
  if (data.length < rowBytes * height) return null;
  // In PDF a set bit is white, in PNM it is black.
  const bits = Buffer.from(data.buffer, data.byteOffset, rowBytes * height).map((byte) => byte ^ 0xff);
  return Buffer.concat([Buffer.from(`P4\n${width} ${height}\n`), bits]);
}

function colors(width: number, height: number, data: ArrayLike<number>, channels: 3 | 4): Buffer {
  return toPnm(width, height, (row, x, rgb) => {
    const at = (row * width + x) * channels;
    for (let part = 0; part < 3; part += 1) rgb[part] = data[at + part]!;
  });
}
