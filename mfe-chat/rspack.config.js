import { defineRemote } from '../rspack.shared.js';

export default defineRemote({ name: 'mfe-chat', exposes: { './chat': './src/chat.tsx' } });
