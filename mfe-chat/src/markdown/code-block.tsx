import { Icon } from 'host/ui/icon.tsx';
import { copyText } from '../messages/copy-text.ts';
import { useChat } from '../shared/chat-context.ts';
import styles from './markdown.module.css';

export function CodeBlock({ text, language }: { text: string; language: string }) {
  const { services, t } = useChat();
  const copy = async () => {
    const isCopied = await copyText(text);
    services.toasts.show(
      isCopied ? { kind: 'success', text: t('codeCopied') } : { kind: 'warning', text: t('copyFailed') },
    );
  };
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language.split(/\s/, 1)[0]}</span>
        <button className="icon-button small" type="button" aria-label={t('copyCode')} onClick={copy}>
          <Icon name="copy" />
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard too */}
      <pre tabIndex={0} dir="ltr">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
