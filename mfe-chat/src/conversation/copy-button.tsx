import { IconButton } from 'host/ui/icon-button.tsx';
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
  return <IconButton icon="copy" label={label} hasTitle onClick={copy} />;
}
