import { IconButton } from 'host/ui/icon-button.tsx';
import { useEffect, useRef } from 'react';
import { useFrame } from '../state/frame-context.ts';

export function AttachButton({ slot }: { slot: string }) {
  const { t, services, attachments } = useFrame();
  const picker = useRef<HTMLInputElement>(null);
  /** Files chosen before the rest of the screen is loaded. */
  const waiting = useRef<File[]>([]);
  const readRules = () => {
    if (attachments?.rules() === null) attachments.readRules();
  };
  const add = (files: Iterable<File>) => {
    waiting.current.push(...files);
    if (!attachments) return;
    const count = attachments.add(slot, waiting.current.splice(0));
    if (count) services.toasts.show({ kind: 'warning', text: t('tooMany', { count }) });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the attachments are there
  useEffect(() => {
    if (waiting.current.length > 0) add([]);
  }, [attachments]);
  return (
    <>
      <IconButton
        icon="clip"
        label={t('attach')}
        hasTitle
        onPointerEnter={readRules}
        onFocus={readRules}
        onClick={() => picker.current?.click()}
      />
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        accept={attachments?.rules()?.endings.join()}
        aria-label={t('attach')}
        onChange={({ currentTarget }) => {
          add(currentTarget.files ?? []);
          // Allows the same file to be chosen again: otherwise the input would not emit a change event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
