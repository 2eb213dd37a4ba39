# The peer of bench/questions/gram.ts: X·Xᵀ by numpy, which sees that both factors are one array and calls cblas_dsyrk.
# Prints one line of JSON, {"missing": why} where numpy or OpenBLAS is not to be had.
#
#   openblas.py                    says what is there
#   openblas.py X ROWS COLS CALLS G   times CALLS calls on the float64 numbers in the file X, writes G to a file
#
# The caller sets OPENBLAS_NUM_THREADS and, if it likes, OPENBLAS_CORETYPE.

import ctypes
import json
import re
import statistics
import sys
import time


def end(**answer):
    print(json.dumps(answer))
    sys.exit(0)


try:
    import numpy as np
except ImportError:
    end(missing="numpy is not installed")


def loaded_openblas():
    """The OpenBLAS in this very process: np.show_config() only knows what numpy was built with."""
    try:
        with open("/proc/self/maps") as maps:
            paths = set(re.findall(r"/\S*openblas[^/\s]*\.so\S*", maps.read()))
    except OSError:
        end(missing="no /proc/self/maps to see which BLAS numpy uses")
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        # numpy from PyPI brings an OpenBLAS whose names are changed.
        for name in ("openblas_get_%s", "openblas_get_%s64_", "scipy_openblas_get_%s", "scipy_openblas_get_%s64_"):
            if hasattr(library, name % "config"):
                return path, lambda what: getattr(library, name % what)
    end(missing="numpy uses another BLAS than OpenBLAS")


def text(function):
    function.restype = ctypes.c_char_p
    return function().decode()


path, function = loaded_openblas()
about = {
    "numpy": np.__version__,
    "path": path,
    "config": text(function("config")),
    "core": text(function("corename")),
    "threads": function("num_threads")(),
}
if len(sys.argv) == 1:
    end(**about)

rows, cols, calls = (int(word) for word in sys.argv[2:5])
X = np.fromfile(sys.argv[1]).reshape(rows, cols)
G = np.empty((rows, rows))  # reused, as ours is
np.matmul(X, X.T, out=G)

times = []
for _ in range(calls):
    started = time.perf_counter()
    np.matmul(X, X.T, out=G)
    times.append(1000 * (time.perf_counter() - started))
G.tofile(sys.argv[5])
end(**about, medianMs=statistics.median(times), bestMs=min(times))
