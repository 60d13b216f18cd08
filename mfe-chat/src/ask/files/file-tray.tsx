import { formatSize } from 'host/ui/format-size.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useObjectUrl } from 'host/ui/use-object-url.ts';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import type { AttachedFile } from '../../state/attachments.ts';
import { useChat, usePartTexts } from '../../state/chat-context.ts';
import { fileTexts } from '../../state/part-texts.ts';
import styles from './file-tray.module.css';

interface FileTrayProps {
  slot: string;
  /** Receives the focus when the last file is removed. */
  fieldRef: RefObject<HTMLTextAreaElement | null>;
}

/** The attached files above the text, and the reason if the server rejected them. */
export function FileTray({ slot, fieldRef }: FileTrayProps) {
  const { services, chat } = useChat();
  const { attachments } = chat;
  const t = usePartTexts(fileTexts);
  const list = useRef<HTMLUListElement>(null);
  const { files, problem } = attachments.read(slot);
  const reasonOf = useReasonOf();
  const invalid = files.filter((one) => one.problem !== null);
  const names = invalid.map((one) => `${one.file.name} (${reasonOf(one)})`);
  const series = new Intl.ListFormat(services.i18n.locale(), { style: 'narrow' });
  const message = [problem, invalid.length > 0 && t('removeFirst', { names: series.format(names) })]
    .filter(Boolean)
    .join(' ');
  const remove = (id: string) => {
    const at = files.findIndex((one) => one.id === id);
    const buttons = list.current?.querySelectorAll('button');
    const next = buttons?.[at + 1] ?? buttons?.[at - 1] ?? fieldRef.current;
    attachments.remove(slot, id);
    next?.focus();
  };
  return (
    <div className={styles.tray} data-tray={message ? 'problem' : 'files'}>
      {message && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <p className={styles.problem} role="alert" tabIndex={0}>
          <Icon name="alert" isSmall />
          <span>{message}</span>
        </p>
      )}
      {files.length > 0 && (
        <ul ref={list} className={styles.files} aria-label={t('attached')}>
          {files.map((one) => (
            <Chip key={one.id} attached={one} onRemove={() => remove(one.id)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Explains why a file cannot be sent; '' if it can. */
function useReasonOf(): (attached: AttachedFile) => string {
  const { chat } = useChat();
  const t = usePartTexts(fileTexts);
  return ({ problem }) => {
    if (problem === null) return '';
    const rules = chat.attachments.rules();
    const bytes = problem === 'room' ? rules?.freeBytes : rules?.maxBytes;
    return t(`problem.${problem}`, { size: formatSize(bytes ?? 0) });
  };
}

function Chip({ attached, onRemove }: { attached: AttachedFile; onRemove(): void }) {
  const t = usePartTexts(fileTexts);
  const { file } = attached;
  const reason = useReasonOf()(attached);
  const remove = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onRemove();
  };
  return (
    <li className={styles.chip} data-invalid={reason !== '' || undefined}>
      <Thumbnail file={file} />
      <span className="clip" title={file.name}>
        {file.name}
      </span>
      <small>{reason || formatSize(file.size)}</small>
      <IconButton
        icon="close"
        iconClassName="icon-s"
        label={t('removeFile', { name: file.name })}
        isSmall
        onClick={onRemove}
        onKeyDown={remove}
      />
    </li>
  );
}

/** A thumbnail where the browser can show one, else an icon of the file type. */
function Thumbnail({ file }: { file: File }) {
  const isImage = file.type.startsWith('image/');
  const [hasFailed, setHasFailed] = useState(false);
  const url = useObjectUrl(isImage && !hasFailed ? file : null);
  if (!url) return <Icon name={isImage ? 'image' : 'file'} isSmall />;
  return (
    <img
      className={styles.thumbnail}
      src={url}
      alt=""
      width="28"
      height="28"
      onError={() => setHasFailed(true)}
    />
  );
}
