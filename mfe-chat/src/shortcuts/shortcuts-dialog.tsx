import { Dialog } from 'host/ui/dialog.tsx';
import { useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import { hasSingleKeys, SHORTCUTS, setSingleKeys } from './shortcuts.ts';
import styles from './shortcuts-dialog.module.css';

const MODIFIERS = /Mac|iPhone|iPad/.test(navigator.platform) ? ['⌥', '⇧'] : ['Alt', 'Shift'];

/** With the modifiers, this key moves the focus to the newest toast. The host handles it in every screen. */
const TOAST_KEY = 'U';

/** The list of keyboard shortcuts, and the switch for those without a modifier. */
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { t, services } = useChat();
  const [hasSingle, setHasSingle] = useState(() => hasSingleKeys(services.storage));
  const change = (isOn: boolean) => {
    setSingleKeys(services.storage, isOn);
    setHasSingle(isOn);
  };
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('shortcutAction')}</th>
            {hasSingle && <th scope="col">{t('shortcutSingle')}</th>}
            <th scope="col">{t('shortcutAnywhere')}</th>
          </tr>
        </thead>
        <tbody>
          {SHORTCUTS.map(({ action, key, text }) => (
            <tr key={action}>
              <th scope="row">{t(text)}</th>
              {hasSingle && (
                <td>
                  <kbd>{key}</kbd>
                </td>
              )}
              <td>
                <Keys of={key === '?' ? '/' : key} />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('shortcutToast')}</th>
            {hasSingle && <td />}
            <td>
              <Keys of={TOAST_KEY} />
            </td>
          </tr>
        </tbody>
      </table>
      <p className={styles.escape}>{t('shortcutEscape')}</p>
      <label className="choice">
        <input
          className="check"
          type="checkbox"
          checked={hasSingle}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        {t('shortcutSwitch')}
      </label>
    </Dialog>
  );
}

function Keys({ of: key }: { of: string }) {
  return [...MODIFIERS, key].map((part) => <kbd key={part}>{part}</kbd>);
}
