import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useEffect, useRef, useState } from 'react';
import { useChat, usePartTexts } from '../../state/chat-context.ts';
import { MAX_QUESTION } from '../../state/drafts.ts';
import { fileTexts } from '../../state/part-texts.ts';
import styles from './file-drop.module.css';

/** Attaches files that are dropped or pasted outside of text fields, and pasted text that is too long for a question. */
export function FileDrop() {
  const { services, chat } = useChat();
  const { attachments } = chat;
  const { conversationId } = useStream(chat.consultation.state$);
  const t = usePartTexts(fileTexts);
  const overlay = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const pasted = useRef(0);
  const pastedTexts = useRef(0);

  useEffect(() => {
    const area = overlay.current?.parentElement;
    if (!area) return;
    const add = (files: Iterable<File>) => {
      const count = attachments.add(attachments.slotOf(conversationId), files);
      if (count) services.toasts.show({ kind: 'warning', text: t('tooMany', { count }) });
      area.querySelector('textarea')?.focus({ preventScroll: true });
    };
    /** dragenter and dragleave fire for every element; only the last one counts. */
    let inside: EventTarget | null = null;
    /** Dragging a picture of this page also provides a file, which is not meant to be sent. */
    let isOwn = false;
    const startOwnDrag = () => {
      isOwn = true;
    };
    const endOwnDrag = () => {
      isOwn = false;
    };
    const bringsFiles = (event: DragEvent) => !isOwn && hasFiles(event);
    const enter = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      inside = event.target;
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.target === inside) setIsOver(false);
    };
    const over = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      // By default the browser would open a dropped file instead of the page.
      event.preventDefault();
      if (event.dataTransfer)
        event.dataTransfer.dropEffect = area.contains(event.target as Node) ? 'copy' : 'none';
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      if (!bringsFiles(event)) return;
      event.preventDefault();
      if (area.contains(event.target as Node)) add(filesOf(event.dataTransfer));
    };
    const paste = (event: ClipboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const isElsewhere = target?.closest('input, textarea, [contenteditable], dialog, [role=dialog]');
      if (event.defaultPrevented || (isElsewhere && !area.querySelector('form')?.contains(isElsewhere)))
        return;
      const files = pastedFiles(event.clipboardData, () => {
        pasted.current += 1;
        return t('pasted', { n: pasted.current });
      });
      const long = files.length ? null : tooLongText(event, area);
      if (long !== null) {
        pastedTexts.current += 1;
        files.push(
          new File([long], `${t('pastedText', { n: pastedTexts.current })}.txt`, { type: 'text/plain' }),
        );
        services.toasts.show({ kind: 'info', text: t('pastedAsFile') });
      }
      if (!files.length) return;
      event.preventDefault();
      add(files);
    };
    const unmounted = new AbortController();
    const { signal } = unmounted;
    area.addEventListener('dragenter', enter, { signal });
    area.addEventListener('dragleave', leave, { signal });
    window.addEventListener('dragstart', startOwnDrag, { signal });
    window.addEventListener('dragend', endOwnDrag, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('drop', drop, { signal });
    document.addEventListener('paste', paste, { signal });
    return () => unmounted.abort();
  }, [attachments, services, conversationId, t]);

  return (
    <div ref={overlay} className={styles.overlay} data-over={isOver || undefined} aria-hidden="true">
      {isOver && (
        <div className={styles.sheet}>
          <Icon name="clip" />
          <b className="type-head">{t('drop')}</b>
          <p className="type-small ink-2">{t('dropHint')}</p>
        </div>
      )}
    </div>
  );
}

/** The pasted text if it would make the question to the desk too long; otherwise null. */
function tooLongText({ target, clipboardData }: ClipboardEvent, area: Element): string | null {
  const field = area.querySelector('form')?.querySelector('textarea');
  if (!field || target !== field || field.closest('[data-to=person]')) return null;
  const text = clipboardData?.getData('text/plain') ?? '';
  const kept = field.value.length - (field.selectionEnd - field.selectionStart);
  return text.trim().length + kept > MAX_QUESTION ? text : null;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/** Leaves out folders, which would arrive as unreadable files. */
function filesOf(transfer: DataTransfer | null): File[] {
  const items = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  if (!items.length) return [...(transfer?.files ?? [])];
  return items.flatMap((item) => (item.webkitGetAsEntry?.()?.isDirectory ? [] : (item.getAsFile() ?? [])));
}

/**
 * The files of a clipboard. Spreadsheets and word processors add a picture of the copied text; then only the text is pasted. File managers
 * add the file names as text; then only the files are. Pictures without a name get one from `nextName`.
 */
function pastedFiles(
  clipboard: Pick<DataTransfer, 'files' | 'getData'> | null,
  nextName: () => string,
): File[] {
  const files = [...(clipboard?.files ?? [])];
  const text = clipboard?.getData('text/plain') ?? '';
  if (text.trim() && !files.every(({ name }) => text.includes(name))) return [];
  return files.map((file) => (/^image\.\w+$/.test(file.name) ? renamed(file, nextName()) : file));
}

function renamed(file: File, name: string): File {
  const ending = file.name.slice(file.name.lastIndexOf('.'));
  return new File([file], `${name}${ending}`, { type: file.type, lastModified: file.lastModified });
}
