/**
 * Dot products of a vector with many others, eight numbers at a time (SIMD of WebAssembly). Assembled by wabt from:
 *
 *     (module
 *       (memory (import "vectors" "memory") 0)
 *       (func (export "products") (param $asked i32) (param $row i32) (param $end i32) (param $width i32) (param $to i32)
 *         (local $at i32) (local $sum v128)
 *         (loop $rows
 *           (local.set $at (i32.const 0))
 *           (local.set $sum (v128.const i64x2 0 0))
 *           (loop $numbers
 *             (local.set $sum (i32x4.add (local.get $sum) (i32x4.dot_i16x8_s
 *               (v128.load (i32.add (local.get $asked) (i32.shl (local.get $at) (i32.const 1))))
 *               (v128.load8x8_s (i32.add (local.get $row) (local.get $at))))))
 *             (br_if $numbers (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $width))))
 *           (i32.store (local.get $to) (i32.add
 *             (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
 *             (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
 *           (local.set $to (i32.add (local.get $to) (i32.const 4)))
 *           (br_if $rows (i32.lt_u (local.tee $row (i32.add (local.get $row) (local.get $width))) (local.get $end))))))
 */
const code =
  'AGFzbQEAAAABCQFgBX9/f39/AAITAQd2ZWN0b3JzBm1lbW9yeQIAAAMCAQAHDAEIcHJvZHVjdHMAAAqAAQF+AgF/AXsDQEEAIQX9DAAAAAAAAAAAAAAAAAAAAAAhBgNAIAYgACAFQQF0av0ABAAgASAFav0BAwD9ugH9rgEhBiAFQQhqIgUgA0kNAAsgBCAG/RsAIAb9GwFqIAb9GwIgBv0bA2pqNgIAIARBBGohBCABIANqIgEgAkkNAAsL';

/** Vectors are padded with zeros to a multiple of this. */
export const numbersAtOnce = 8;

/** Missing in the types of Node. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

const pageBytes = 65_536;
const module = new WebAssembly.Module(Buffer.from(code, 'base64'));

export type VectorMemory = ReturnType<typeof createVectorMemory>;

/** Memory of vectors, of which parts cannot be freed. */
export function createVectorMemory() {
  const memory = new WebAssembly.Memory({ initial: 0 });
  const { exports } = new WebAssembly.Instance(module, { vectors: { memory } });
  return {
    /**
     * Writes the products of the vector at `asked` (16-bit integers) and those from `row` up to `end` (`width` 8-bit
     * integers each) to `to` (32-bit integers). All are addresses in `buffer`.
     */
    products: exports.products as (
      asked: number,
      row: number,
      end: number,
      width: number,
      to: number,
    ) => void,
    /** Returns the address. */
    allocate: (bytes: number): number => memory.grow(Math.ceil(bytes / pageBytes)) * pageBytes,
    /** Invalid after the next call of `allocate`. */
    buffer: (): ArrayBuffer => memory.buffer,
  };
}
