import { Icon } from 'host/ui/icon.tsx';
import { useChat } from '../state/chat-context.ts';
import { copyText } from './copy-text.ts';

/** Copies the text of a message. A toast with the text `copied` confirms it. */
export function CopyButton({ text, label, copied }: { text: string; label: string; copied: string }) {
  const { services, t } = useChat();
  const copy = async () => {
    const isCopied = await copyText(text);
    services.toasts.show(
      isCopied ? { kind: 'success', text: copied } : { kind: 'warning', text: t('copyFailed') },
    );
  };
  return (
    <button className="icon-button" type="button" aria-label={label} title={label} onClick={copy}>
      <Icon name="copy" />
    </button>
  );
}
