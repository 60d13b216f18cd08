/** Bytes of the scale, which come first. */
export const scaleBytes = 4;

/** A vector as one byte a number, after the factor (32 bits, little-endian) that they are to be multiplied by. */
export function packVector(vector: Float32Array): Buffer {
  let largest = 0;
  for (const one of vector) largest = Math.max(largest, Math.abs(one));
  const scale = largest / 127 || 1;
  const bytes = Buffer.alloc(scaleBytes + vector.length);
  bytes.writeFloatLE(scale, 0);
  for (const [at, one] of vector.entries()) bytes.writeInt8(Math.round(one / scale), scaleBytes + at);
  return bytes;
}

/** Cosine of a vector of length 1 and a packed one; null where their dimensions differ. */
export function cosineOf(vector: Float32Array, packed: Uint8Array): number | null {
  if (packed.length !== vector.length + scaleBytes) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const scale = view.getFloat32(0, true);
  const numbers = new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, vector.length);
  let sum = 0;
  for (let at = 0; at < numbers.length; at += 1) sum += vector[at]! * numbers[at]!;
  return sum * scale;
}
