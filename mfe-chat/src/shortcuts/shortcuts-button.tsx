import { Button } from 'host/ui/button.tsx';
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import type { SidePanelState } from '../sidebar/use-side-panel.ts';
import { useChat } from '../state/chat-context.ts';
import { lateDialog } from '../state/late-dialog.tsx';
import { useShortcuts } from './shortcuts.ts';
import styles from './shortcuts-button.module.css';

export const ShortcutsDialog = lateDialog(
  async () => (await import(/* webpackChunkName: "shortcuts" */ './shortcuts-dialog.tsx')).ShortcutsDialog,
);

interface ShortcutsButtonProps {
  panel: SidePanelState;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  startNew(): void;
  /** Returns false if no answer is running. */
  stop(): boolean;
}

/** Handles the keyboard shortcuts of the screen; its button lists them. Devices without a mouse show no button. */
export function ShortcutsButton({ panel, fieldRef, startNew, stop }: ShortcutsButtonProps) {
  const { t, services } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  useShortcuts(services.storage, {
    new: startNew,
    search() {
      // The panel must be visible before it can take the focus.
      flushSync(panel.show);
      panel.panelRef.current?.querySelector<HTMLElement>('input[type="search"]')?.focus();
    },
    ask() {
      flushSync(panel.close);
      fieldRef.current?.focus();
    },
    stop,
    list: open,
  });
  return (
    <>
      <Button
        look={`small bare ${styles.button}`}
        label={t('shortcuts')}
        aria-haspopup="dialog"
        onClick={open}
      />
      {isOpen && <ShortcutsDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
