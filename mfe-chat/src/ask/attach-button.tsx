import { Icon } from 'host/ui/icon.tsx';
import { useRef } from 'react';
import { useFrame } from '../state/frame-context.ts';

/** The button that adds files. */
export function AttachButton({ slot }: { slot: string }) {
  const { t, services, attachments } = useFrame();
  const picker = useRef<HTMLInputElement>(null);
  const readRules = () => {
    if (attachments.rules() === null) attachments.readRules();
  };
  const add = (files: FileList | null) => {
    const count = attachments.add(slot, files ?? []);
    if (count) services.toasts.show({ kind: 'warning', text: t('tooMany', { count }) });
  };
  return (
    <>
      <button
        className="icon-button"
        type="button"
        aria-label={t('attach')}
        title={t('attach')}
        onPointerEnter={readRules}
        onFocus={readRules}
        onClick={() => picker.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        accept={attachments.rules()?.endings.join()}
        aria-label={t('attach')}
        onChange={({ currentTarget }) => {
          add(currentTarget.files);
          // Allows the same file to be chosen again: otherwise the input would not emit a change event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
