/** What the visitor has typed into the first state of the screen, before React renders it. */
interface Typed {
  name: string;
  value: string;
  selection: [start: number | null, end: number | null];
  hasFocus: boolean;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The screen's HTML from the server, see its releases/pages/first-state.ts; undefined without it. */
export function readFirstState(root: HTMLElement) {
  if (!root.hasAttribute('data-first')) return undefined;
  let isComposing = false;
  const stop = new AbortController();
  const { signal } = stop;
  root.addEventListener('compositionupdate', () => (isComposing = true), { signal });
  root.addEventListener('compositionend', () => (isComposing = false), { signal });
  let typed: Typed[] = [];
  /** Name of the field whose form was submitted. */
  let submitted: string | undefined;
  const submit = (event: Event, form: HTMLFormElement | null) => {
    const [field] = fieldsIn(form ?? root);
    if (!field) return;
    event.preventDefault();
    submitted = field.name;
  };
  root.addEventListener('submit', (event) => submit(event, event.target as HTMLFormElement), { signal });
  root.addEventListener(
    'keydown',
    (event) => {
      const { key, target, isComposing, shiftKey, ctrlKey, metaKey, altKey } = event;
      const isPlain = !(isComposing || shiftKey || ctrlKey || metaKey || altKey);
      if (key === 'Enter' && isPlain && target instanceof HTMLTextAreaElement) submit(event, target.form);
    },
    { signal },
  );

  /** Puts what was typed into the fields of the same names, as if it were typed there. */
  const restore = () => {
    const missing: Typed[] = [];
    for (const one of typed) {
      const field = fieldsIn(root).find(({ name }) => name === one.name);
      if (field) enter(field, one);
      else missing.push(one);
    }
    typed = missing;
    const form = fieldsIn(root).find(({ name }) => name === submitted)?.form;
    if (form) {
      submitted = undefined;
      form.requestSubmit();
    }
    if (typed.length === 0) document.getElementById('first-styles')?.remove();
  };

  return {
    /** Resolves when no text is being composed with an input method, which replacing the field would interrupt. */
    async whenComposed(): Promise<void> {
      // The last characters arrive after the event that ends the composition.
      while (isComposing)
        await new Promise<void>((resolve) =>
          root.addEventListener('compositionend', () => setTimeout(resolve), { once: true }),
        );
    },
    /** Replaces the first state by what `render` renders at once, and keeps what was typed, the selection and the focus. */
    replace(render: () => void): void {
      stop.abort();
      typed = typedIn(root);
      root.removeAttribute('data-first');
      render();
      restore();
    },
    /** To be called whenever a screen is shown: the one that was replaced may have failed to load. */
    restore,
  };
}

function fieldsIn(root: ParentNode): Field[] {
  return [...root.querySelectorAll<Field>('input[name], textarea[name]')].filter(
    (field) => field.type !== 'file' && !field.closest('[inert]'),
  );
}

function typedIn(root: HTMLElement): Typed[] {
  return fieldsIn(root)
    .map((field) => ({
      name: field.name,
      value: field.value,
      selection: [field.selectionStart, field.selectionEnd] as Typed['selection'],
      // If the visitor did not choose the focus, the screen sets it.
      hasFocus: field === document.activeElement && (field.value !== '' || hasActed()),
    }))
    .filter(({ value, hasFocus }) => value !== '' || hasFocus);
}

function hasActed(): boolean {
  return navigator.userActivation?.hasBeenActive ?? false;
}

/** A stored draft of the screen has priority. */
function enter(field: Field, { value, selection: [start, end], hasFocus }: Typed): void {
  const draft = field instanceof HTMLTextAreaElement && field.value !== value ? field.value : '';
  if (value !== '' && field.value !== value) {
    // The setter of the element itself would hide the change from React.
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
    set?.call(field, draft === '' ? value : `${draft}\n${value}`);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (hasFocus) field.focus({ preventScroll: true });
  const before = draft === '' ? 0 : draft.length + 1;
  if (start !== null && end !== null && value !== '') field.setSelectionRange(before + start, before + end);
}
