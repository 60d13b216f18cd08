import { Icon } from 'host/ui/icon.tsx';
import { Menu } from 'host/ui/menu.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useFrameTranslate, useShell } from './shell.ts';

const CHOICES = ['light', 'dark', 'system'] as const;

export function ThemeMenu({ anchor, onClose }: { anchor: HTMLElement; onClose(): void }) {
  const { theme } = useShell();
  const t = useFrameTranslate();
  const chosen = useStream(theme.choice$);
  return (
    <Menu anchor={anchor} label={t('theme')} placement="bottom-end" onClose={onClose}>
      {CHOICES.map((choice) => (
        <button
          key={choice}
          type="button"
          role="menuitemradio"
          aria-checked={choice === chosen}
          data-focus-first={choice === chosen || undefined}
          onClick={() => {
            onClose();
            theme.choose(choice);
          }}
        >
          {t(`theme.${choice}`)}
          {choice === chosen && <Icon name="check" />}
        </button>
      ))}
    </Menu>
  );
}
