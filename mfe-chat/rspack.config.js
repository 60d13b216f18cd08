import { defineRemote } from '../rspack.shared.js';

export default defineRemote({
  name: 'mfe-chat',
  dir: import.meta.dirname,
  exposes: { './chat': './src/chat.tsx', './shared': './src/shared-conversation.tsx' },
  screens: { '/index': './src/chat.tsx', '/index?c': './src/chat.tsx' },
  texts: { './chat': ['first'], './shared': ['shared', 'reading'] },
});
