/** Libraries of a remote on the page of another host that does not share them. */
import type { ComponentType } from 'react';
import * as router from './react-router-dom.ts';
import * as rxjs from './rxjs.ts';

export const facades: Readonly<Record<string, unknown>> = { rxjs, 'react-router-dom': router };

export function withRouter<Props extends object>(Screen: ComponentType<Props>): ComponentType<Props> {
  return function RoutedScreen(props) {
    return (
      <router.BrowserRouter>
        <Screen {...props} />
      </router.BrowserRouter>
    );
  };
}
