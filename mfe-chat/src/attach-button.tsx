import { useRef } from 'react';
import { useFrame } from './frame-context.ts';
import { Icon } from './icon.tsx';

/** A hint for the picker alone: what a file is, the server tells by its content. */
const HINT = '.txt,.md,.markdown,.csv,.json,.html,.htm,.pdf,.docx,.xlsx,.pptx,.png,.jpg,.jpeg,.webp,.gif';

/** The paper clip. */
export function AttachButton({ slot }: { slot: string }) {
  const { t, services, attachments } = useFrame();
  const picker = useRef<HTMLInputElement>(null);
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
        onClick={() => picker.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        accept={HINT}
        aria-label={t('attach')}
        onChange={({ currentTarget }) => {
          add(currentTarget.files);
          // The same file once more is a change again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
