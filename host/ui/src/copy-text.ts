/** What is needed of the service `toasts`. */
interface Toasts {
  show(toast: { kind: 'success' | 'warning'; text: string }): unknown;
}

/** Copies text to the clipboard and says in a toast whether that worked. */
export async function copyText(text: string, toasts: Toasts, says: { copied: string; failed: string }) {
  const isCopied = await copy(text);
  toasts.show(isCopied ? { kind: 'success', text: says.copied } : { kind: 'warning', text: says.failed });
}

/** Also without TLS, where browsers have no Clipboard API. False when it failed. */
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
  // A modal dialog allows no selection outside of it.
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
