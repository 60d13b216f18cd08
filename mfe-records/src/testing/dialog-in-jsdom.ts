/** jsdom knows the dialog element but not how to open it; browsers do. Focus and backdrop stay the browser's business. */
export function letDialogsOpen(): void {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
}
