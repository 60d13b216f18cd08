import { toPnm } from './pnm.ts';

/** An image decoded by PDF.js. */
export interface ScannedImage {
  width: number;
  height: number;
  data: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;
  /** A stencil mask: its set pixels are painted. */
  isMask?: boolean;
}

/** Converts an image to PNM: bilevel, grey, RGB or RGBA, judged by its length. null for anything else. */
export function scanToPnm({ width, height, data }: ScannedImage): Buffer | null {
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
