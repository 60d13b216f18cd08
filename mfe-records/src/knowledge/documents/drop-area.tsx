import { useTexts } from 'host/ui/screen.tsx';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from '../lib/knowledge.module.css';

interface DropAreaProps {
  isActive: boolean;
  onFiles(files: File[]): void;
  children: ReactNode;
}

/** Accepts files dropped anywhere on the screen, with a hint while dragging. The upload button does the same by keyboard. */
export function DropArea({ isActive, onFiles, children }: DropAreaProps) {
  const t = useTexts(knowledgeTexts);
  const { toasts } = useServices();
  const [isOver, setIsOver] = useState(false);
  // dragenter of a child fires before dragleave of its parent.
  const depth = useRef(0);
  const takes = (event: DragEvent) => isActive && [...event.dataTransfer.types].includes('Files');
  const enter = (event: DragEvent) => {
    if (!takes(event)) return;
    depth.current += 1;
    setIsOver(true);
  };
  const leave = (event: DragEvent) => {
    if (!takes(event)) return;
    depth.current = Math.max(0, depth.current - 1);
    if (depth.current === 0) setIsOver(false);
  };
  const drop = (event: DragEvent) => {
    depth.current = 0;
    setIsOver(false);
    if (!takes(event)) return;
    event.preventDefault();
    const files = filesOf(event.dataTransfer);
    if (files.length < event.dataTransfer.files.length)
      toasts.show({ kind: 'warning', text: t('upload.folder') });
    onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: an alternative to the upload button
    <div
      className={styles.drop}
      onDragEnter={enter}
      onDragLeave={leave}
      onDragOver={(event) => takes(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div className={styles.dropHint} aria-hidden="true">
          <b>{t('upload.drop')}</b>
        </div>
      )}
    </div>
  );
}

/** Leaves out folders, which cannot be read. */
function filesOf({ files, items }: DataTransfer): File[] {
  const isFolder = [...(items ?? [])]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry?.()?.isDirectory ?? false);
  return [...files].filter((_, index) => !isFolder[index]);
}
