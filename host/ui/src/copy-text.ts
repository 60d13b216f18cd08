/** What is needed of the service `toasts`. */
interface Toasts {
  show(toast: { kind: 'success' | 'warning'; text: string }): unknown;
}

/** Copies text to the clipboard and says in a toast whether that worked. */
export async function copyText(text: string, toasts: Toasts, says: { copied: string; failed: string }) {
  const isCopied = await copy(text);
  toasts.show(isCopied ? { kind: 'success', text: says.copied } : { kind: 'warning', text: says.failed });
}

/** Works without TLS, too, where browsers have no Clipboard API. Returns false if it failed. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  // While a modal dialog is open, nothing outside of it can be selected.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
