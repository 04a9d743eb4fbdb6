// Browser storage; if it is forbidden, it behaves as if empty.
function of(kind) {
  return {
    get(key) {
      try {
        return window[kind].getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        window[kind].setItem(key, value);
      } catch {
        /* not stored */
      }
    },
    remove(key) {
      try {
        window[kind].removeItem(key);
      } catch {
        /* nothing stored */
      }
    },
  };
}

export const local = of("localStorage");
export const session = of("sessionStorage");
