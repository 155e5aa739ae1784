"""Exports read by ParaView itself: xvfb-run python3 paraview_test.py TREACLE OUT. Run by ./test --paraview."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import numpy as np
from paraview import simple
from vtkmodules.numpy_interface import dataset_adapter

TREACLE, OUT = sys.argv[1:3]
del sys.argv[1:3]

SCENE = {
    "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.02, "time": {"duration": 0.1, "fps": 40},
    "materials": {"honey": {"viscosity": 5}},
    "fluids": [{"material": "honey", "velocity": [1, 0, 0], "shape": {"box": {"center": [0, 0.3, 0], "size": [0.2, 0.2, 0.2]}}}],
    "solids": [{"name": "floor", "shape": {"plane": {"normal": [0, 1, 0], "offset": 0}}},
               {"name": "arm", "shape": {"box": {"center": [0, 0.05, 0], "size": [0.1, 0.1, 0.1]}}, "motion": {"velocity": [0, 0, 1]}}],
}
TIMES = [0, 0.025, 0.05, 0.075, 0.1]


class ParaView(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(OUT)
        cls.folder.mkdir(parents=True, exist_ok=True)
        (cls.folder / "scene.json").write_text(json.dumps(SCENE))
        cls.treacle("run", "scene.json", "-o", "run", "--quiet", "--no-preview", "--set", '/output/formats=["ply","vtp","vtkhdf","npz"]')

    @classmethod
    def treacle(cls, *arguments):
        subprocess.run([TREACLE, *arguments], cwd=cls.folder, check=True)

    def expected(self, frame):
        return np.load(self.folder / f"run/frames/frame.{frame:04d}.npz")

    def check_points(self, reader):
        reader.UpdatePipelineInformation()
        np.testing.assert_allclose(list(reader.TimestepValues), TIMES, atol=1e-12)
        for frame in (1, 5, 3):
            simple.UpdatePipeline(time=TIMES[frame - 1], proxy=reader)
            data = dataset_adapter.WrapDataObject(simple.servermanager.Fetch(reader))
            with self.expected(frame) as file:
                self.assertEqual(data.GetNumberOfPoints(), 1000)
                self.assertEqual(data.GetNumberOfCells(), 1000)
                np.testing.assert_array_equal(np.array(data.Points), file["position"])
                np.testing.assert_array_equal(np.array(data.PointData["velocity"]), file["velocity"])
                np.testing.assert_array_equal(np.array(data.PointData["id"]), file["id"])
                np.testing.assert_array_equal(np.array(data.PointData["density"]), file["density"])
        information = reader.PointData["density"].GetRange()
        with self.expected(3) as file:
            np.testing.assert_allclose(information, (file["density"].min(), file["density"].max()), rtol=1e-6)

    def test_pvd_of_a_run(self):
        self.check_points(simple.OpenDataFile(str(self.folder / "run/frames.pvd")))

    def test_pvd_of_an_export(self):
        self.treacle("export", "run", "--to", "vtp", "--quiet", "-o", "vtp")
        self.check_points(simple.OpenDataFile(str(self.folder / "vtp/frames.pvd")))

    def test_solids(self):
        reader = simple.OpenDataFile(str(self.folder / "run/bodies.pvd"))
        for time in (0, 0.1):
            simple.UpdatePipeline(time=time, proxy=reader)
            data = dataset_adapter.WrapDataObject(simple.servermanager.Fetch(reader))
            arm = np.array(data.Points)[4:]   # the floor is a sheet of four points
            np.testing.assert_allclose(arm[:, 2].min(), -0.05 + time, atol=1e-6)
            self.assertEqual(set(np.array(data.CellData["body"])), {0, 1})

    def test_vtkhdf_series(self):
        self.check_points(simple.OpenDataFile(str(self.folder / "run/frames.hdf.series")))

    def test_picture(self):
        reader = simple.OpenDataFile(str(self.folder / "run/frames.pvd"))
        solids = simple.OpenDataFile(str(self.folder / "run/bodies.pvd"))
        view = simple.CreateView("RenderView")
        view.ViewSize = [640, 400]
        shown = simple.Show(reader, view)
        shown.SetRepresentationType("Point Gaussian")
        shown.GaussianRadius = 0.01
        simple.ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
        shown.RescaleTransferFunctionToDataRange(True)
        simple.Show(solids, view)
        view.ViewTime = 0.1
        simple.ResetCamera(view)
        simple.GetActiveCamera().Elevation(20)
        simple.Render(view)
        path = str(self.folder / "paraview.png")
        simple.SaveScreenshot(path, view)
        self.assertGreater(os.path.getsize(path), 5000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
