/** What browsers have and jsdom leaves out, as far as this remote uses it. Nothing is measured: there is no layout. */

class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResizeObserver;

let objectUrls = 0;
URL.createObjectURL ??= () => {
  objectUrls += 1;
  return `blob:test/${objectUrls}`;
};
URL.revokeObjectURL ??= () => undefined;

/** jsdom reads files by FileReader alone. */
Blob.prototype.arrayBuffer ??= function arrayBuffer(this: Blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as ArrayBuffer);
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(this);
  });
};
