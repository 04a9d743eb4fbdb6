"""Makes what browsers load from the sources in `static/` and `templates/`: sprites, bundles, compressed files.

Part of the build (`hatch_build.py`), so it needs only Python's own library, esbuild and brotli.
"""
